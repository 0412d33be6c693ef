import { categories } from '../../../messages/en/platform-categories';
import { translated } from '../../../messages/text';

export const categoryWords = translated(categories);
