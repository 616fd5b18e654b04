package io.headrace.load.deliver;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The threads of a loader. They outlive its epochs: a task runs on the thread that last ran a task
/// of that name if it is idle, else on another idle thread of its kind, else on a new one.
///
/// So what the system gives a thread (a stack, an arena of the C library's `malloc`) is made once,
/// not in each epoch. A thread is named after its task; an idle one is named `idle`.
/// A thread whose task throws is not used again. Each waits by itself: a task wakes only the thread
/// that runs it, and the task's end wakes only those that wait for it. Thread-safe.
public final class LoaderThreads implements AutoCloseable {
  private static final String IDLE = "idle";

  private final List<Member> idle = new ArrayList<>();
  private final List<Member> members = new ArrayList<>();
  private volatile boolean closed;

  /// A task under way.
  public static final class Task {
    private final String name;
    private final Runnable work;
    private final CountDownLatch end = new CountDownLatch(1);

    private Task(String name, Runnable work) {
      this.name = name;
      this.work = work;
    }

    /// Waits for its end, however it ends. An interrupt is kept for the caller and does not cut the
    /// wait short: the memory that the task works on is freed next.
    public void join() {
      boolean interrupted = false;
      while (true) {
        try {
          end.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Starts a task.
  ///
  /// @param name of its thread: a kind, and a number if there are several of that kind
  /// @throws IllegalStateException if the threads are closed
  public synchronized Task run(String name, Runnable work) {
    if (closed) {
      throw new IllegalStateException("the loader is closed");
    }
    var task = new Task(name, work);
    Member member = idleFor(name);
    if (member == null) {
      member = new Member(task);
      members.add(member);
      member.thread.start();
    } else {
      idle.remove(member);
      member.take(task);
      LockSupport.unpark(member.thread);
    }
    return task;
  }

  private synchronized @Nullable Member idleFor(String name) {
    Member found = null;
    for (Member member : idle) {
      if (member.name.equals(name)) {
        return member;
      }
      if (kind(member.name).equals(kind(name))) {
        found = member;
      }
    }
    return found;
  }

  private static String kind(String name) {
    int dash = name.indexOf('-');
    return dash < 0 ? name : name.substring(0, dash);
  }

  private synchronized void settle(Member member, Task task, boolean sound) {
    if (sound) {
      member.name = task.name;
      member.thread.setName(IDLE);
      idle.add(member);
    } else {
      members.remove(member);
    }
    task.end.countDown();
  }

  private final class Member implements Runnable {
    private final Thread thread;
    private String name;
    private volatile @Nullable Task task;

    Member(Task first) {
      name = first.name;
      task = first;
      thread = Thread.ofPlatform().name(name).daemon().unstarted(this);
    }

    void take(Task next) {
      task = next;
      thread.setName(next.name);
    }

    @Override
    public void run() {
      while (runOne()) {
        boolean _ = Thread.interrupted(); // meant for the task that has ended
      }
    }

    /// Waits for a task.
    ///
    /// @return it, or null once the threads are closed
    private @Nullable Task next() {
      while (task == null && !closed) {
        LockSupport.park(LoaderThreads.this);
        boolean _ = Thread.interrupted(); // meant for a task that has ended
      }
      Task next = task;
      task = null;
      return next;
    }

    /// {@return whether there was a task}
    private boolean runOne() {
      Task mine = next();
      if (mine == null) {
        return false;
      }
      boolean sound = false;
      try {
        mine.work.run();
        sound = true;
      } finally {
        settle(this, mine, sound);
      }
      return true;
    }
  }

  /// Ends all threads, once their tasks have ended, and waits for that.
  @Override
  public void close() {
    for (Member member : end()) {
      Threads.join(member.thread);
    }
  }

  private synchronized List<Member> end() {
    closed = true;
    idle.clear();
    members.forEach(member -> LockSupport.unpark(member.thread));
    return List.copyOf(members);
  }
}
