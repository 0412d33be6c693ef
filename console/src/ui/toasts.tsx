import { Toast } from '@base-ui/react/toast';
import { t } from '../messages/text';
import { Button } from './button';
import styles from './popup.module.css';

const manager = Toast.createToastManager();

/** Says for a few seconds that something was done, or was not. */
export function notify(title: string, tone: 'good' | 'bad' = 'good'): void {
  manager.add({ title, type: tone });
}

/** Where they appear. */
export const Toasts = () => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <Toast.Viewport className={styles.toasts}>
        <ToastList />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Title />
      <Toast.Close render={<Button icon="close" look="plain" aria-label={t.ui.close} />} />
    </Toast.Root>
  ));
}
