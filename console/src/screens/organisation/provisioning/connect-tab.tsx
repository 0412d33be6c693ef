import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/queries';
import { Badge } from '../../../ui/badge';
import { Card, Quiet, Row, Section, Stack } from '../../../ui/layout';
import { Loaded } from '../../../ui/problem';
import { When } from '../../../ui/when';
import { PROVIDERS } from './provider';
import styles from './provisioning.module.css';
import { words } from './words';

const text = words.connect;
const PROVISIONING = '/organisations/$orgId/provisioning';

/** Whether a directory is connected, and the way to connect one. */
export function ConnectTab({ orgId }: { orgId: string }) {
  const settings = useRead('GET /v1/organisations/{org_id}/scim/settings', { path: { org_id: orgId } });
  return (
    <Stack gap="wide">
      <Card>
        <Section title={text.status}>
          <Loaded read={settings} lines={2}>
            {({ last_contact_at: last, is_stale: isStale }) => (
              <Stack gap="tight">
                {last === null ? (
                  <p>{text.never}</p>
                ) : (
                  <Row>
                    <Badge tone={isStale ? 'warn' : 'good'} icon={isStale ? 'alert' : 'check'}>
                      {isStale ? text.silent : text.alive}
                    </Badge>
                    <span>
                      {text.lastCall} <When at={last} />
                    </span>
                    <Link to={PROVISIONING} params={{ orgId }} search={{ tab: 'calls' }}>
                      {text.toCalls}
                    </Link>
                    <Link to="/organisations/$orgId/roles" params={{ orgId }}>
                      {text.toRoles}
                    </Link>
                  </Row>
                )}
                {isStale && <Quiet>{text.stale}</Quiet>}
              </Stack>
            )}
          </Loaded>
        </Section>
      </Card>
      <Section title={text.title}>
        <p>{text.help}</p>
        <div className={styles.cards}>
          {PROVIDERS.map((provider) => {
            const { name, help } = words.providers[provider];
            return (
              <Link key={provider} to={PROVISIONING} params={{ orgId }} search={{ provider }} className={styles.card}>
                <strong>{text.start(name)}</strong>
                <Quiet>{help}</Quiet>
              </Link>
            );
          })}
        </div>
      </Section>
    </Stack>
  );
}
