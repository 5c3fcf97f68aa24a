import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Ends the servers that still run in each folder, then removes the folders. */
const CLEAN_UP = `
list=
while IFS= read -r folder; do list="$list$folder
"; done
printf %s "$list" | while IFS= read -r folder; do
  for file in "$folder"/redis.pid "$folder"/cluster/data/postmaster.pid "$folder"/*/cluster/data/postmaster.pid; do
    if [ -f "$file" ]; then kill -9 "$(head -n 1 "$file")"; fi
  done
done
sleep 0.2
printf %s "$list" | while IFS= read -r folder; do rm -rf "$folder"; done
`;

let input: Socket | undefined;

/**
 * Has a folder cleaned up when this process ends, however it ends: a shell reads the names from a pipe,
 * and the end of the pipe is the end of the process.
 */
export function watchFolder(folder: string): void {
  input ??= startWatchdog();
  input?.write(`${folder}\n`);
}

function startWatchdog(): Socket | undefined {
  // Without a POSIX shell an interrupted run leaves its folders behind.
  if (process.platform === 'win32') return undefined;
  const child = spawn('sh', ['-c', CLEAN_UP], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  if (!(child.stdin instanceof Socket)) throw new Error('a pipe to a child process is a socket');
  child.stdin.unref();
  return child.stdin;
}
