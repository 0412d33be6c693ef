/** @returns the value of the address if it is one of those that exist, else the first of them */
export function oneOf<Value extends string>(values: readonly [Value, ...Value[]], value: string | undefined): Value {
  return values.find((one) => one === value) ?? values[0];
}
