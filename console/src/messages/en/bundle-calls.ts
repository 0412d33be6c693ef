/** Which tools were called, by whom, and with what outcome. */
export const calls = {
  title: (name: string) => name,
};
