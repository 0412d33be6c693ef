import type { Bundle } from '../../../api/schema';
import { policiesWords } from './words';

/** Who may use which tools of the bundle. */
export default function PoliciesTab({ bundle }: { bundle: Bundle }) {
  return <h2>{policiesWords.title(bundle.name)}</h2>;
}
