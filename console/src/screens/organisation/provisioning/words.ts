import { provisioning } from '../../../messages/en/organisation-provisioning';
import { providerSteps } from '../../../messages/en/organisation-provisioning-steps';
import { remedies } from '../../../messages/en/organisation-remedies';
import { translated } from '../../../messages/text';

export const words = translated(provisioning);
export const stepWords = translated(providerSteps);
export const remedyWords = translated(remedies);
