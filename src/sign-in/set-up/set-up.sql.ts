/** $1 now. Only one transaction ever inserts it; the others wait for it, and then insert nothing. */
export const FINISH_SET_UP = `
  INSERT INTO set_up (is_done, done_at) VALUES (true, $1) ON CONFLICT ON CONSTRAINT set_up_pkey DO NOTHING`;
