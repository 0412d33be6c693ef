import { calls } from '../../../messages/en/bundle-calls';
import { locale, translated } from '../../../messages/text';
import { durationText, shareText, sizeText } from './figures';

export const callsWords = translated(calls);

export const duration = (ms: number): string => durationText(ms, locale);
export const size = (bytes: number): string => sizeText(bytes, locale);
export const share = (part: number, whole: number): string =>
  shareText(part, whole, locale) ?? callsWords.figures.unknown;
