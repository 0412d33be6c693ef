import { platformHealth } from '../../../messages/en/platform-health';
import { translated } from '../../../messages/text';

export const words = translated(platformHealth);
