import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Gives old classes of a jar (picocli's are Java 5's) the form of Java 8's, with stack maps:
/// start-up caches leave out classes without them, and the JVM takes long to verify those. Nothing
/// else about them changes.
///
///     java ClassFiles.java JAR…
final class ClassFiles {
  private ClassFiles() {}

  public static void main(String[] jars) throws IOException {
    for (String jar : jars) {
      Path file = Path.of(jar);
      Path copy = Path.of(jar + ".part");
      Files.copy(file, copy, REPLACE_EXISTING);
      try (var classes = new URLClassLoader(new URL[] {file.toUri().toURL()});
          FileSystem zip = FileSystems.newFileSystem(copy);
          Stream<Path> entries = Files.walk(zip.getPath("/"))) {
        var form =
            ClassFile.of(
                ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                ClassFile.ClassHierarchyResolverOption.of(
                    ClassHierarchyResolver.ofResourceParsing(classes)));
        for (Path entry : entries.filter(path -> path.toString().endsWith(".class")).toList()) {
          ClassModel old = form.parse(Files.readAllBytes(entry));
          if (old.majorVersion() < ClassFile.JAVA_6_VERSION) {
            Files.write(entry, form.transformClass(old, renewed()));
          }
        }
      }
      Files.move(copy, file, REPLACE_EXISTING);
    }
  }

  private static ClassTransform renewed() {
    return ClassTransform.dropping(ClassFileVersion.class::isInstance)
        .andThen(ClassTransform.transformingMethodBodies((code, element) -> code.with(element)))
        .andThen(ClassTransform.endHandler(made -> made.withVersion(ClassFile.JAVA_8_VERSION, 0)));
  }
}
