import { setup } from '../../messages/en/setup';
import { translated } from '../../messages/text';

export const words = translated(setup);
