package io.headrace.format;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Finds containers that other modules provide as services, because they need heavy libraries.
public final class Containers {
  private Containers() {}

  /// {@return the container of that name, or null if no module that is present provides it}
  ///
  /// @param name as [Container#name] says it, such as `pcr`
  public static @Nullable Container service(String name) {
    for (Container container :
        ServiceLoader.load(Container.class, Containers.class.getClassLoader())) {
      if (container.name().equals(name)) {
        return container;
      }
    }
    return null;
  }

  /// {@return the names of all that are provided, sorted}
  public static List<String> names() {
    List<String> names = new ArrayList<>();
    ServiceLoader.load(Container.class, Containers.class.getClassLoader())
        .forEach(container -> names.add(container.name()));
    return names.stream().sorted().toList();
  }
}
