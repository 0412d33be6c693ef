import { deployments } from '../../../messages/en/bundle-deployments';
import { translated } from '../../../messages/text';

export const deploymentsWords = translated(deployments);
