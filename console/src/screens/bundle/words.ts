import { bundle } from '../../messages/en/bundle';
import { translated } from '../../messages/text';

export const bundleWords = translated(bundle);
