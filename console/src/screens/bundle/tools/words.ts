import { tools } from '../../../messages/en/bundle-tools';
import { translated } from '../../../messages/text';

export const toolsWords = translated(tools);
