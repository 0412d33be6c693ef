import { platformPeople } from '../../../messages/en/platform-people';
import { translated } from '../../../messages/text';

export const words = translated(platformPeople);
