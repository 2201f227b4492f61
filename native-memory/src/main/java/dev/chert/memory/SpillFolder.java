package dev.chert.memory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/// The private folder of an engine's spill files, and how much they take together.
///
/// ```
/// spill.directory/
///   chert-spill-4711-18c2f0a9d3e-5577006791947779410/     process, its start, random
///     alive.lock                                          locked while the process lives
///     0.spill, 1.spill ...                                already without a name where the system allows it
/// ```
///
/// The folder is made when the first file is opened. Whoever makes an engine or a folder removes those of dead
/// processes: the ones whose lock it can take. Its own process's it never touches, since closing a lock file gives up
/// every lock that the process has on it. Thread-safe.
final class SpillFolder {
    /// How a file is opened; tests put a full disk here.
    interface Opener {
        FileChannel open(Path file) throws IOException;
    }

    private static final Logger LOGGER = Logger.getLogger(SpillFolder.class.getName());
    private static final String PREFIX = "chert-spill-";
    private static final Pattern FOLDER_NAME = Pattern.compile(PREFIX + "\\d+-[0-9a-f]+-\\d+");
    private static final String OWN_PREFIX = PREFIX + ProcessHandle.current().pid() + "-"
            + Long.toHexString(ProcessHandle.current()
                    .info()
                    .startInstant()
                    .map(Instant::toEpochMilli)
                    .orElse(0L))
            + "-";
    private static final String LOCK = "alive.lock";

    /// Ends the making of folders that others remove before they are locked.
    private static final int MOST_TRIES = 100;

    private final SpillOptions options;
    private final Opener opener;
    private final AtomicLong usedBytes = new AtomicLong();
    private Path folder;
    private FileChannel lockChannel;
    private long nextFile;

    SpillFolder(SpillOptions options) {
        this(options, SpillFolder::openUnnamed);
    }

    SpillFolder(SpillOptions options, Opener opener) {
        this.options = options;
        this.opener = opener;
    }

    /// The setting's directory; the private folder lies in it.
    Path directory() {
        return options.directory();
    }

    long limitBytes() {
        return options.limitBytes();
    }

    /// Bytes of all blocks in all files.
    long usedBytes() {
        return usedBytes.get();
    }

    /// Counts bytes to be written, if the limit allows them.
    boolean tryReserve(long bytes) {
        while (true) {
            long now = usedBytes.get();
            if (bytes > options.limitBytes() - now) {
                return false;
            }
            if (usedBytes.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    void release(long bytes) {
        usedBytes.addAndGet(-bytes);
    }

    /// Opens a new file, which is gone when it is closed or the process ends.
    synchronized FileChannel open() throws IOException {
        if (folder == null) {
            Files.createDirectories(options.directory());
            removeDead();
            make();
        }
        return opener.open(folder.resolve(nextFile++ + ".spill"));
    }

    /// Removes the folder; its files must be closed.
    synchronized void close() {
        if (folder == null) {
            return;
        }
        try {
            remove(folder);
            lockChannel.close();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "the folder of spill files " + folder + " could not be removed", e);
        }
        folder = null;
    }

    /// Removes the folders of dead processes, as far as it may.
    void removeDead() {
        if (!Files.isDirectory(options.directory())) {
            return;
        }
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(options.directory(), SpillFolder::isOthers)) {
            for (Path candidate : candidates) {
                removeIfDead(candidate);
            }
        } catch (IOException e) {
            LOGGER.log(Level.FINE, "the folder " + options.directory() + " cannot be searched for dead files", e);
        }
    }

    /// Whether an entry is named as a folder of another process.
    private static boolean isOthers(Path entry) {
        String name = entry.getFileName().toString();
        return name.startsWith(PREFIX)
                && !name.startsWith(OWN_PREFIX)
                && FOLDER_NAME.matcher(name).matches();
    }

    private static void removeIfDead(Path candidate) {
        try (FileChannel channel = FileChannel.open(candidate.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                remove(candidate);
            }
        } catch (NoSuchFileException e) {
            removeIfEmpty(candidate);
        } catch (IOException | OverlappingFileLockException e) {
            // another user's, or being removed by another process at this moment: not ours to report
            LOGGER.log(Level.FINE, "the folder " + candidate + " of a dead process cannot be removed", e);
        }
    }

    /// A folder without a lock is about to be locked, or its removal broke off. Whoever is about to lock it makes
    /// another.
    private static void removeIfEmpty(Path candidate) {
        try {
            Files.deleteIfExists(candidate);
        } catch (IOException e) {
            LOGGER.log(Level.FINE, "the folder " + candidate + " without a lock cannot be removed", e);
        }
    }

    /// Removes a folder and the files in it, the lock last, so that what breaks off is found again.
    private static void remove(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.spill")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder.resolve(LOCK));
        Files.deleteIfExists(folder);
    }

    private void make() throws IOException {
        for (int i = 0; i < MOST_TRIES; i++) {
            Path candidate = Files.createTempDirectory(options.directory(), OWN_PREFIX);
            if (lock(candidate)) {
                folder = candidate;
                return;
            }
        }
        throw new IOException("other processes keep removing the folders that are made there");
    }

    /// @return false if another process takes the new folder for a dead one's
    private boolean lock(Path candidate) throws IOException {
        Path file = candidate.resolve(LOCK);
        FileChannel channel;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            return false;
        }
        if (channel.tryLock() != null && Files.exists(file)) {
            lockChannel = channel;
            return true;
        }
        channel.close();
        return false;
    }

    private static FileChannel openUnnamed(Path file) throws IOException {
        return FileChannel.open(
                file,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE); // unlinks at once where that is possible
    }
}
