import { platform } from '../../messages/en/platform';
import { translated } from '../../messages/text';

export const platformWords = translated(platform);
