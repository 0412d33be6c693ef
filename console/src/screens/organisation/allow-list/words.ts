import { allowList } from '../../../messages/en/organisation-allow-list';
import { translated } from '../../../messages/text';

export const words = translated(allowList);
