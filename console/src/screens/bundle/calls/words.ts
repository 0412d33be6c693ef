import { calls } from '../../../messages/en/bundle-calls';
import { translated } from '../../../messages/text';

export const callsWords = translated(calls);
