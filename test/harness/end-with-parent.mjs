/** npm starts this through a shell, and a shell that is told to stop doesn't pass it on: it is just gone. */
export function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(143);
  }, 500).unref();
}
