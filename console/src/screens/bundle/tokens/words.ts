import { tokens } from '../../../messages/en/bundle-tokens';
import { translated } from '../../../messages/text';

export const tokensWords = translated(tokens);
