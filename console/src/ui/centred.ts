/**
 * Scrolls a list sideways until one of its parts is in the middle: in a narrow window those beside it are then seen to go on.
 *
 * @param selector of the part; nothing happens where there is none
 */
export function centre(list: HTMLElement | null, selector: string): void {
  const part = list?.querySelector<HTMLElement>(selector);
  if (list && part) list.scrollLeft = part.offsetLeft - (list.clientWidth - part.offsetWidth) / 2;
}
