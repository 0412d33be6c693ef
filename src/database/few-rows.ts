/**
 * A condition that every row meets, and that the planner believes of one row in 200: for the rows of an array or a JSON
 * array in a prepared statement. It takes them for 10 and 100 without knowing them, and then
 * - would rather read all of a table than look up each of them, as long as the table is small, by a plan that the
 *   connection keeps when it no longer is;
 * - makes a new plan for each execution if an array with fewer elements looks cheaper.
 *
 * @param integer a column of these rows that is an integer and not null
 */
export function fewRows(integer: string): string {
  return `${integer} + 0 = ${integer}`;
}
