import { tryTool } from '../../../messages/en/bundle-try';
import { translated } from '../../../messages/text';

export const tryWords = translated(tryTool);
