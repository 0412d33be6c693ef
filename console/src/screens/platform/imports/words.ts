import { imports } from '../../../messages/en/platform-imports';
import { translated } from '../../../messages/text';

export const importWords = translated(imports);
