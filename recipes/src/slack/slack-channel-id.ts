/** The id of a channel, a direct message or a private group; a name such as `#general` does not fit. */
export const slackChannelId = /^[CDG][A-Z0-9]{2,}$/;
