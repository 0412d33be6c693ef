import { policies } from '../../../messages/en/bundle-policies';
import { translated } from '../../../messages/text';

export const policiesWords = translated(policies);
