#include "CRuntime.h"
