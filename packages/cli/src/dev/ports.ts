/** The usual addresses on this machine; 4010 is the service's, and the vendors follow. */
export const usualPorts = { sandbox: 4010, slack: 4011, notion: 4012, mail: 4013, mailPage: 4014 } as const;
