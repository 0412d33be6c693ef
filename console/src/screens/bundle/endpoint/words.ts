import { endpoint } from '../../../messages/en/bundle-endpoint';
import { translated } from '../../../messages/text';

export const endpointWords = translated(endpoint);
