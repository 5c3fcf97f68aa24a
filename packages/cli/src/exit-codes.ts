export const EXIT_OK = 0;
export const EXIT_FAILED = 1;
export const EXIT_WRONG_USE = 2;
/** What a shell reports for a command that Ctrl-C ended. */
export const EXIT_INTERRUPTED = 130;
/** The same for one that was asked to end by SIGTERM. */
export const EXIT_TERMINATED = 143;
