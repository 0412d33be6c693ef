import type { Bundle } from '../../../api/schema';
import { callsWords } from './words';

/** Which tools were called, by whom, and with what outcome. */
export default function CallsTab({ bundle }: { bundle: Bundle }) {
  return <h2>{callsWords.title(bundle.name)}</h2>;
}
