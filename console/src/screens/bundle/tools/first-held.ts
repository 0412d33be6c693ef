/** Where a review begins if it is not known yet with which tool. */
export const FIRST = 'first';
