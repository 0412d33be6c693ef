import { server } from '../../messages/en/server';
import { translated } from '../../messages/text';

export const words = translated(server);
