/** An invitation can be accepted for this long. */
export const OPEN_DAYS = 14;

/** An expired invitation can still be read for this long. */
export const READABLE_DAYS = 90;
