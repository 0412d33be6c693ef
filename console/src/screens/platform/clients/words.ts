import { platformClients } from '../../../messages/en/platform-clients';
import { translated } from '../../../messages/text';

export const words = translated(platformClients);
