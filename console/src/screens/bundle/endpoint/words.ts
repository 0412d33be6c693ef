import { endpoint } from '../../../messages/en/bundle-endpoint';
import { endpointProblems } from '../../../messages/en/bundle-endpoint-problems';
import { translated } from '../../../messages/text';

export const endpointWords = translated(endpoint);
export const problemWords = translated(endpointProblems);
