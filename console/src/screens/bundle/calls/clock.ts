import { locale } from '../../../messages/text';

const TIME = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY_AND_TIME = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const FULL = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });

/** @returns the time of an instant, to the second; with its day if that is not today */
export function clock(instant: string, now = new Date()): string {
  const at = new Date(instant);
  return (at.toDateString() === now.toDateString() ? TIME : DAY_AND_TIME).format(at);
}

/** @returns day, time and time zone of an instant */
export const fullTime = (instant: string): string => FULL.format(new Date(instant));
