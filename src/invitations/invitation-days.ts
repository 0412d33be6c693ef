/** For how long an invitation can be accepted. */
export const OPEN_DAYS = 14;

/** For how long it can be read after it has expired. */
export const READABLE_DAYS = 90;
