/* Heatflow's tracker for C, and for Fortran by ISO_C_BINDING. Link tracker/src/heatflow.cpp. With HEATFLOW_RUNTIME it may be loaded
   before the program (LD_PRELOAD) instead, if that is compiled to be position-independent; where it is not, or with HEATFLOW_OFF,
   calls do nothing. */
#ifndef HEATFLOW_H
#define HEATFLOW_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(HEATFLOW_RUNTIME) || defined(HEATFLOW_OFF)
#define HEATFLOW_MAY_BE_MISSING __attribute__((weak))
#else
#define HEATFLOW_MAY_BE_MISSING
#endif

/* Begins a region of that name. The texts may go afterwards; a place is remembered by its name, file and line. */
HEATFLOW_MAY_BE_MISSING void heatflow_begin(const char* name, const char* file, int line);
/* Ends the innermost region of that name, with all that has begun within it. */
HEATFLOW_MAY_BE_MISSING void heatflow_end(const char* name);
/* An attribute of the innermost region: of all its values the file keeps the least, the most and the last. */
HEATFLOW_MAY_BE_MISSING void heatflow_attribute_number(const char* key, double value);
HEATFLOW_MAY_BE_MISSING void heatflow_attribute_text(const char* key, const char* value);
/* Regions that begin from now on are recorded, or not. */
HEATFLOW_MAY_BE_MISSING void heatflow_start(void);
HEATFLOW_MAY_BE_MISSING void heatflow_stop(void);
/* Ends the recording and moves it to a path. 0 where all is written. */
HEATFLOW_MAY_BE_MISSING int heatflow_dump(const char* path);

#if defined(HEATFLOW_RUNTIME) || defined(HEATFLOW_OFF)
#define heatflow_begin(name, file, line) (heatflow_begin ? heatflow_begin(name, file, line) : (void)0)
#define heatflow_end(name) (heatflow_end ? heatflow_end(name) : (void)0)
#define heatflow_attribute_number(key, value) (heatflow_attribute_number ? heatflow_attribute_number(key, value) : (void)0)
#define heatflow_attribute_text(key, value) (heatflow_attribute_text ? heatflow_attribute_text(key, value) : (void)0)
#define heatflow_start() (heatflow_start ? heatflow_start() : (void)0)
#define heatflow_stop() (heatflow_stop ? heatflow_stop() : (void)0)
#define heatflow_dump(path) (heatflow_dump ? heatflow_dump(path) : 1)
#endif

#define HEATFLOW_C_BEGIN(name) heatflow_begin(name, __FILE__, __LINE__)
#define HEATFLOW_C_END(name) heatflow_end(name)

#ifdef __cplusplus
}
#endif

#endif
