/* Checks of the simulation itself, in TAP: that a seed decides everything, that every oracle can fail, and
 * what needs more than one run: secrets and memory. */
#ifndef SIM_SELF_H
#define SIM_SELF_H

/* Returns the exit status. */
int self_run(void);

#endif
