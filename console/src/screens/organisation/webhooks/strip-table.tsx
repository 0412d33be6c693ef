import { Link } from '@tanstack/react-router';
import { date, number } from '../../../messages/text';
import { buttonClass } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { Row } from '../../../ui/layout';
import type { StripHour } from './strip-bars';
import { listWords } from './words';
import styles from './webhooks.module.css';

const words = listWords.strip;

interface StripTableProps {
  orgId: string;
  endpointId: string;
  name: string;
  hours: readonly StripHour[];
  onClose: () => void;
}

/** The hours of a strip in figures, newest first. */
export const StripTable = ({ orgId, endpointId, name, hours, onClose }: StripTableProps) => (
  <Dialog open onClose={onClose} title={words.tableTitle(name)}>
    <div className={styles.tall} tabIndex={0} role="group" aria-label={words.tableTitle(name)}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{words.hour}</th>
            <th scope="col" className={styles.number}>
              {words.deliveredColumn}
            </th>
            <th scope="col" className={styles.number}>
              {words.failedColumn}
            </th>
          </tr>
        </thead>
        <tbody>
          {hours.toReversed().map(({ at, succeeded, failed }) => (
            <tr key={at}>
              <th scope="row">
                <time dateTime={new Date(at).toISOString()}>{date(new Date(at).toISOString())}</time>
              </th>
              <td className={styles.number}>{number(succeeded)}</td>
              <td className={styles.number}>{number(failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <Row>
      <Link
        to="/organisations/$orgId/webhooks/$endpointId"
        params={{ orgId, endpointId }}
        search={{ tab: 'deliveries', status: 'FAILED', hours: '24' }}
        className={buttonClass()}
      >
        {words.toFailed}
      </Link>
    </Row>
  </Dialog>
);
