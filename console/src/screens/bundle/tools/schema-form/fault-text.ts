import { number } from '../../../../messages/text';
import type { FormFault } from '../form-value';
import { toolsWords } from '../words';

/** @returns what is wrong with what was typed, for people */
export function faultText(fault: FormFault): string {
  if ('bound' in fault) return toolsWords.bounds[fault.code](number(fault.bound), fault.bound);
  return toolsWords.faults[fault.code];
}
