import type { Bundle } from '../../../api/schema';
import { deploymentsWords } from './words';

/** Where the servers of the bundle run. */
export default function DeploymentsTab({ bundle }: { bundle: Bundle }) {
  return <h2>{deploymentsWords.title(bundle.name)}</h2>;
}
