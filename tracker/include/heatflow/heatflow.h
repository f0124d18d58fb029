/* Heatflow's tracker for C, and for Fortran by ISO_C_BINDING. Link tracker/src/heatflow.cpp. */
#ifndef HEATFLOW_H
#define HEATFLOW_H

#ifdef __cplusplus
extern "C" {
#endif

/* Begins a region of that name. The texts may go afterwards; a place is remembered by its name, file and line. */
void heatflow_begin(const char* name, const char* file, int line);
/* Ends the innermost region of that name, with all that has begun within it. */
void heatflow_end(const char* name);
/* An attribute of the innermost region: of all its values the file keeps the least, the most and the last. */
void heatflow_attribute_number(const char* key, double value);
void heatflow_attribute_text(const char* key, const char* value);
/* Regions that begin from now on are recorded, or not. */
void heatflow_start(void);
void heatflow_stop(void);
/* Ends the recording and moves it to a path. 0 where all is written. */
int heatflow_dump(const char* path);

#define HEATFLOW_C_BEGIN(name) heatflow_begin(name, __FILE__, __LINE__)
#define HEATFLOW_C_END(name) heatflow_end(name)

#ifdef __cplusplus
}
#endif

#endif
