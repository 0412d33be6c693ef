import { platformModeration } from '../../../messages/en/platform-moderation';
import { translated } from '../../../messages/text';

export const words = translated(platformModeration);
