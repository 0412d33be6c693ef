import { Stack } from '../../../ui/layout';
import type { EndpointPart } from './endpoint-screen';
import { Recoveries } from './recoveries';
import { RecoverForm } from './recover-form';
import { settingsWords } from './words';
import styles from './webhooks.module.css';

const words = settingsWords.recover;

/** Sends again what an endpoint missed, after it was counted; and what was sent again before. */
export default function RecoverTab({ endpoint }: EndpointPart) {
  return (
    <Stack gap="wide">
      {endpoint.is_active ? <RecoverForm endpoint={endpoint} /> : <p className={styles.notice}>{words.off}</p>}
      <Recoveries endpointId={endpoint.id} />
    </Stack>
  );
}
