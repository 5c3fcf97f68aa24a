/**
 * The variable that marks the processes which `--processes` starts. That a process is a worker of node:cluster is not
 * enough: process managers start programs as theirs.
 */
export const PROCESS_MARK = 'AFTERMEET_RECEIVER_PROCESS';
